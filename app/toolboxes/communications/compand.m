function y = compand(x, param, v, method)
% y = compand(x, param, v, method): a logarithmic compressor (mu/compressor, the default), or mu/expander,
%   A/compressor, A/expander, for values up to v (1).
if nargin < 3, v = max(abs(x(:))); end
if nargin < 4, method = 'mu/compressor'; end
s = sign(x);
x = abs(x);
switch lower(validatestring(method, {'mu/compressor', 'mu/expander', 'A/compressor', 'A/expander'}, 'compand'))
    case 'mu/compressor'
        y = v/log(1 + param)*log(1 + param/v*x).*s;
    case 'mu/expander'
        y = v/param*(exp(x*log(1 + param)/v) - 1).*s;
    case 'a/compressor'
        low = x <= v/param;
        y = v/(1 + log(param))*(1 + log(max(param*x/v, realmin))).*s;
        y(low) = param/(1 + log(param))*x(low).*s(low);
    case 'a/expander'
        low = x <= v/(1 + log(param));
        y = exp(x*(1 + log(param))/v - 1)*v/param.*s;
        y(low) = x(low)*(1 + log(param))/param.*s(low);
end
end
