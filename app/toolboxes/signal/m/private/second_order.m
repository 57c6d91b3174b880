function [gain, centre] = second_order(Wo, BW, Ab, peak)
% Gain and cosine of a notch or peak filter (Orfanidis, Introduction to Signal Processing, 11.3).
validateattributes(Wo, {'numeric'}, {'scalar', 'real', '>', 0, '<', 1}, '', 'Wo');
validateattributes(BW, {'numeric'}, {'scalar', 'real', '>', 0, '<', 1}, '', 'BW');
level = 10^(-abs(Ab)/20);
slope = sqrt(1 - level^2)/level;
if peak
    slope = 1/slope;
end
gain = 1/(1 + slope*tan(BW*pi/2));
centre = cos(Wo*pi);
end
