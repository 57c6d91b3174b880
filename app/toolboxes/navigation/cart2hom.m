function h = cart2hom(c)
% h = cart2hom(c): points in rows with a one behind.
h = [c ones(size(c, 1), 1)];
end
