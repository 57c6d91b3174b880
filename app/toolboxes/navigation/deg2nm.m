function nm = deg2nm(d)
% nm = deg2nm(d): the length of arcs of the Earth in nautical miles.
nm = deg2km(d)/1.852;
end
