function b = enbw(w, fs)
% b = enbw(w, fs): the equivalent noise bandwidth of a window, in bins, or in Hz with the sample rate.
b = mean(abs(w).^2)/abs(mean(w))^2;
if nargin > 1, b = b*fs/numel(w); end
end
