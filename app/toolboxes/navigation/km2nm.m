function nm = km2nm(km)
% nm = km2nm(km): kilometres as nautical miles.
nm = km/1.852;
end
