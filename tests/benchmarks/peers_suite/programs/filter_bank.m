% One-pole smoothing of 1,000 samples in n channels, parameters in a struct.
x = single(sin((1:n)' / 7));
p = struct('a', single(0.02), 'steps', 1000);
%% Work
y = zeros(n, 1, 'single');
for k = 1:p.steps
    y = (1 - p.a) * y + p.a * x * cos(k / 100);
end
result = sum(abs(y));
