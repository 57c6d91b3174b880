function d = nm2deg(nm)
% d = nm2deg(nm): nautical miles as degrees of arc of the Earth.
d = km2deg(nm*1.852);
end
