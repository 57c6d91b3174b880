function [V, D] = cdf2rdf(V, D)
% [V, D] = cdf2rdf(V, D): eigenvectors and values of a real matrix without complex numbers.
% A pair a + ib, a - ib becomes the block [a b; -b a], its vectors their real and imaginary part.
if ~isfloat(V) || ~isfloat(D) || ~ismatrix(V) || size(V, 2) ~= size(D, 1) || size(D, 1) ~= size(D, 2)
    error('MATLAB:cdf2rdf:invalidInputs', 'V and D must be as [V, D] = eig(A) gives them.');
end
place = 1;
while place <= size(D, 1)
    if imag(D(place, place)) == 0
        place = place + 1;
        continue
    end
    pair = [place, place + 1];
    if place == size(D, 1) || D(pair(2), pair(2)) ~= conj(D(place, place))
        error('MATLAB:cdf2rdf:unpairedValues', ...
            'Complex eigenvalues must stand in pairs of conjugates, next to each other.');
    end
    value = D(place, place);
    V(:, pair) = [real(V(:, place)), imag(V(:, place))];
    D(pair, pair) = [real(value), imag(value); -imag(value), real(value)];
    place = place + 2;
end
V = real(V);
D = real(D);
end
