function y = sinetone(freq, rate, sec, ampl)
% y = sinetone(freq, rate, sec, ampl): sine tones, one column for each frequency (Octave's).
%   rate is 8000 samples a second, sec 1 second and ampl 64 unless given.
if nargin < 2 || isempty(rate)
    rate = 8000;
end
if nargin < 3 || isempty(sec)
    sec = 1;
end
if nargin < 4 || isempty(ampl)
    ampl = 64;
end
n = numel(freq);
if isscalar(ampl)
    ampl = repmat(ampl, 1, n);
end
t = (1:round(rate*sec))'/rate;
y = sin(2*pi*t*reshape(freq, 1, [])).*reshape(ampl, 1, []);
end
