%[text] # The heat equation
%[text] Heat spreads by $ \\frac{\\partial u}{\\partial t} = \\alpha \\nabla^2 u ${"altText":"the heat equation"}. On a grid the Laplacian is the sum of the four neighbours minus four times the middle, and a step in time is
%[text] $ u\_{ij} \\leftarrow u\_{ij} + \\lambda \\left( u\_{i-1,j} + u\_{i+1,j} + u\_{i,j-1} + u\_{i,j+1} - 4u\_{ij} \\right) ${"altText":"one explicit step"}
%[text] which is stable for $ \\lambda \\le 1/4 ${"altText":"lambda at most one quarter"}.
%%
%[text] ## A plate with two hot spots
n = 256;
u = zeros(n, 'single');
u(60:90, 60:90) = 1;
u(150:200, 140:170) = 0.7;
imagesc(u)
axis image
colormap hot
title('At the beginning')
%%
%[text] ## Many small steps
%[text] The stencil is written with slices, as usual. Each step becomes one dispatch, and the plate never leaves the device.
lambda = 0.20; %[control:slider:3001]{"position":[10,14]}
steps = 400; %[control:spinner:3002]{"position":[9,12]}
w = u;
for k = 1:steps
    w(2:end-1, 2:end-1) = w(2:end-1, 2:end-1) + lambda * ( ...
        w(1:end-2, 2:end-1) + w(3:end, 2:end-1) + ...
        w(2:end-1, 1:end-2) + w(2:end-1, 3:end) - 4*w(2:end-1, 2:end-1));
end
imagesc(w)
axis image
title(steps + " steps later")
%%
%[text] ## Is heat conserved?
%[text] Until the heat reaches the edge, the sum must stay the same.
before = sum(u, 'all')
after = sum(w, 'all')
%%
%[text] ## A cut through the plate
plot(1:n, u(75, :), 1:n, w(75, :), 'LineWidth', 1.5)
legend('before', 'after')
xlabel('column')
ylabel('temperature')
grid on

%[appendix]{"version":"1.0"}
%---
%[metadata:view]
%   data: {"layout":"inline","rightPanelPercent":40}
%---
%[control:slider:3001]
%   data: {"defaultValue":0.2,"label":"lambda","max":0.25,"min":0.01,"run":"SectionToEnd","runOn":"ValueChanged","step":0.01}
%---
%[control:spinner:3002]
%   data: {"defaultValue":400,"label":"steps","max":5000,"min":10,"run":"SectionToEnd","step":50}
%---
