% Moving RMS over 101 samples and the share above a threshold.
x = single(mod((1:n)' * 0.6180339887498949, 1) - 0.5);
%% Work
r = sqrt(movmean(x.^2, 101));
result = mean(r) + mean(r > 0.29);
