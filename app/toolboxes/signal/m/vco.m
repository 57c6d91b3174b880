function y = vco(x, fc, fs)
% y = vco(x, fc, fs): an oscillation whose frequency is x times fc about fc; with fc = [low high], x from -1
%   to 1 goes from one to the other.
if nargin < 2 || isempty(fc), fc = 0.25; fs = 1; end
if nargin < 3, fs = 1; end
if max(abs(x(:))) > 1, error('signal:vco:InvalidRange', 'X must be from -1 to 1.'); end
if numel(fc) == 2
    range = fc;
    fc = mean(range);
    y = modulate(x, fc, fs, 'fm', (range(2) - range(1))/fs*pi);
else
    y = modulate(x, fc, fs, 'fm', 2*pi*fc/fs);
end
end
