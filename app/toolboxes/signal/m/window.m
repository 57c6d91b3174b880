function w = window(f, n, varargin)
% w = window(f, n, ...): the window that the function f makes, of n points: window(@hamming, 8).
if ~isa(f, 'function_handle'), error('signal:window:NeedHandle', 'The window must be a function handle; window(f, n).'); end
w = f(n, varargin{:});
end
