function km = nm2km(nm)
% km = nm2km(nm): nautical miles as kilometres.
km = nm*1.852;
end
