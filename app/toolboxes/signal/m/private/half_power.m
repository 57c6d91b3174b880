function level = half_power
% Decibels down at which half the power is left.
level = 10*log10(2);
end
