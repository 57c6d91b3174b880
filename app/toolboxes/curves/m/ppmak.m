function pp = ppmak(breaks, coefs, d)
% pp = ppmak(breaks, coefs): a piecewise polynomial. A row of coefs holds the coefficients of one
%   component, piece after piece, highest powers first.
% pp = ppmak(breaks, coefs, d): d components; each row of coefs is one piece of one component, the
%   components of a piece below each other.
breaks = breaks(:)';
pieces = numel(breaks) - 1;
if nargin > 2
    pp = mkpp(breaks, coefs, d);
    return
end
[d, columns] = size(coefs);
if mod(columns, pieces)
    error('SPLINES:PPMAK:coefsdontmatchbreaks', ...
        'There should be at least one coefficient for each of the %d pieces, as many for each.', pieces);
end
coefs = permute(reshape(coefs, d, [], pieces), [1 3 2]);
pp = mkpp(breaks, reshape(coefs, d*pieces, []), d);
end
