function [r, steps] = tick2ret(prices, varargin)
% [r, steps] = tick2ret(prices, times, method): returns between prices in rows; methods simple and continuous.
%   tick2ret(prices, 'TickTimes', times, 'Method', method) says the same.
[times, method] = tick_options('tick2ret', varargin, 'TickTimes');
if isrow(prices), prices = prices(:); end
if strcmp(method, 'simple'), r = prices(2:end, :)./prices(1:end - 1, :) - 1; else, r = diff(log(prices)); end
steps = ones(size(r, 1), 1);
if ~isempty(times), steps = diff(times(:)); end
end
