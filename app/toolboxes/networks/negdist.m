function d = negdist(w, p)
% d = negdist(w, p): the negative of the Euclidean distances of the rows of w from the columns of p.
d = -dist(w, p);
end
