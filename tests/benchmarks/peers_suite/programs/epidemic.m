% n epidemics with different parameters over a year.
par.beta = single(0.2 + 0.3 * mod((1:n)' * 0.6180339887498949, 1));
par.gamma = single(0.05 + 0.1 * mod((1:n)' * 0.7548776662466927, 1));
par.days = 365;
%% Work
S = 0.99 * ones(n, 1, 'single'); I = 1 - S; R = zeros(n, 1, 'single'); peak = I;
for day = 1:par.days
    new = par.beta .* S .* I;
    out = par.gamma .* I;
    S = S - new;
    I = I + new - out;
    R = R + out;
    peak = max(peak, I);
end
result = mean(R) + mean(peak);
