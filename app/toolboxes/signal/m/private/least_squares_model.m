function [a, e] = least_squares_model(x, p, method, name)
% Models that minimise the prediction errors over the rows of corrmtx by a method.
validateattributes(x, {'numeric'}, {'2d', 'nonempty', 'finite'}, name, 'x');
validateattributes(p, {'numeric'}, {'scalar', 'integer', 'positive'}, name, 'p');
if isrow(x), x = x.'; end
least = p + ceil(p/(1 + strcmp(method, 'modified')));
if size(x, 1) <= least - 1
    error(['signal:' name ':SignalTooShort'], 'A model of order %d needs %d samples.', p, least);
end
for k = size(x, 2):-1:1
    X = corrmtx(double(x(:, k)), p, method);
    a(k, :) = [1; -X(:, 2:end)\X(:, 1)].';
    e(1, k) = real(X(:, 1)'*(X*a(k, :).'));
end
end
