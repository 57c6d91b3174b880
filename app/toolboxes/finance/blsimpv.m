function v = blsimpv(price, strike, rate, time, value, varargin)
% v = blsimpv(price, strike, rate, time, value): the volatility at which Black and Scholes' price is the value.
%   blsimpv(..., limit, yield, tolerance, class): the largest volatility (10), the yield (0), the tolerance
%   (1e-6), and for each option whether it is a call (true or 'call'); these may be named, too.
[limit, yield, tol, class_] = deal(10, 0, 1e-6, true);
names = {'limit', 'yield', 'tolerance', 'class'};
named = ~isempty(varargin) && (ischar(varargin{1}) || isstring(varargin{1}));
for k = 1:numel(varargin)
    if named && mod(k, 2), continue, end
    if named, which_ = validatestring(varargin{k - 1}, names, 'blsimpv'); else, which_ = names{k}; end
    if isempty(varargin{k}), continue, end
    switch which_
        case 'limit', limit = varargin{k};
        case 'yield', yield = varargin{k};
        case 'tolerance', tol = varargin{k};
        case 'class', class_ = varargin{k};
    end
end
if ~islogical(class_) && ~isnumeric(class_), class_ = strcmpi(cellstr(class_), 'call'); end
[price, strike, rate, time, value, yield, class_] = together(price, strike, rate, time, value, yield, class_);
v = NaN(size(price));
for k = 1:numel(price)
    f = @(s) of_class(class_(k), price(k), strike(k), rate(k), time(k), s, yield(k)) - value(k);
    if sign(f(1e-9)) ~= sign(f(limit)), v(k) = fzero(f, [1e-9 limit], optimset('TolX', tol*1e-3)); end
end
end

function p = of_class(is_call, varargin)
[call, put] = blsprice(varargin{:});
if is_call, p = call; else, p = put; end
end

function varargout = together(varargin)
shape = size(varargin{1});
for k = 2:nargin, if isscalar(zeros(shape)), shape = size(varargin{k}); end, end
for k = 1:nargin
    if isscalar(varargin{k}), varargout{k} = repmat(varargin{k}, shape); else, varargout{k} = reshape(varargin{k}, shape); end
end
end
