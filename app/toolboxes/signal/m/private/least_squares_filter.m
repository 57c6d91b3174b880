function [b, a] = least_squares_filter(name, h, z, args, analog)
% Coefficients of b(z)/a(z) = h in the least squares sense: rising powers, or falling ones where analog.
if numel(args) < 2, error('MATLAB:minrhs', 'Not enough input arguments.'); end
if numel(args) > 3, error(['signal:' name ':unsupportedOption'], '%s does not iterate: leave out what follows the weights.', name); end
[nb, na] = args{1:2};
wt = ones(numel(z), 1);
if numel(args) > 2 && ~isempty(args{3}), wt = sqrt(args{3}(:)); end
h = h(:);
if analog
    m = [z.^(nb:-1:0) -h.*z.^(na - 1:-1:0)];
    right = h.*z.^na;
else
    m = [z.^(0:nb) -h.*z.^(1:na)];
    right = h;
end
m = wt.*m;
right = wt.*right;
x = [real(m); imag(m)]\[real(right); imag(right)];
b = x(1:nb + 1).';
a = [1 x(nb + 2:end).'];
end
