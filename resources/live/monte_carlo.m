%[text] # Monte Carlo: the price of an option
%[text] A stock moves as geometric Brownian motion, $ dS = r S \\, dt + \\sigma S \\, dW ${"altText":"d S is r S d t plus sigma S d W"}. A call option pays $ \\max(S\_T - K, 0) ${"altText":"the larger of S T minus K and 0"} at time $ T ${"altText":"T"}. Its price is the discounted mean over many paths.
%%
%[text] ## The market
S0 = 100; %[control:spinner:1001]{"position":[6,9]}
K = 105; %[control:slider:1002]{"position":[5,8]}
sigma = 0.20; %[control:slider:1003]{"position":[9,13]}
r = 0.03;
T = 1;
%%
%[text] ## The paths
%[text] The loop runs over time, each pass over all paths. Fuselab makes **one kernel with the loop inside**: a path lives in registers, its random numbers are drawn where they are used, and no path is ever stored.
rng(1)
paths = 200000;
steps = 64;
dt = T / steps;
S = S0 * ones(paths, 1, 'single');
for step = 1:steps
    S = S .* exp((r - sigma^2/2)*dt + sigma*sqrt(dt)*randn(paths, 1, 'single'));
end
price = exp(-r*T) * mean(max(S - K, 0))
%%
%[text] ## Against the formula
%[text] The formula of Black and Scholes gives the answer: $ C = S\_0 N(d\_1) - K e^{-rT} N(d\_2) ${"altText":"the formula of Black and Scholes"}.
N = @(x) 0.5 * erfc(-x / sqrt(2));
d1 = (log(S0/K) + (r + sigma^2/2)*T) / (sigma*sqrt(T));
exact = S0*N(d1) - K*exp(-r*T)*N(d1 - sigma*sqrt(T))
difference = abs(double(price) - exact)
%%
%[text] ## The end of the paths
histogram(S, 80)
xline(K, '--', 'strike', 'LineWidth', 2)
xlabel('price at the end')
ylabel('paths')
title("Call at " + K + " with volatility " + sigma)

%[appendix]{"version":"1.0"}
%---
%[metadata:view]
%   data: {"layout":"inline","rightPanelPercent":40}
%---
%[control:spinner:1001]
%   data: {"defaultValue":100,"label":"price today","max":200,"min":50,"run":"AllSections","step":1}
%---
%[control:slider:1002]
%   data: {"defaultValue":105,"label":"strike","max":150,"min":60,"run":"AllSections","runOn":"ValueChanging","step":1}
%---
%[control:slider:1003]
%   data: {"defaultValue":0.2,"label":"volatility","max":0.6,"min":0.05,"run":"AllSections","runOn":"ValueChanging","step":0.01}
%---
