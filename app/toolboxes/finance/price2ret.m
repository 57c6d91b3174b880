function [r, steps] = price2ret(prices, varargin)
% [r, steps] = price2ret(prices, times, method): returns over the time between prices; methods continuous
%   (default) and periodic.
times = [];
method = 'continuous';
if numel(varargin) > 0, times = varargin{1}; end
if numel(varargin) > 1, method = lower(validatestring(varargin{2}, {'continuous', 'periodic'}, 'price2ret')); end
if isrow(prices), prices = prices(:); end
steps = ones(size(prices, 1) - 1, 1);
if ~isempty(times), steps = diff(times(:)); end
if strcmp(method, 'continuous'), r = diff(log(prices))./steps; else, r = (prices(2:end, :)./prices(1:end - 1, :) - 1)./steps; end
end
