function n = getnhood(se)
% n = getnhood(se): which neighbours a structuring element holds, as a logical matrix.
n = se.Neighborhood;
end
