%[text] # An image pipeline
%[text] Pictures are arrays, and what is done to them is mostly elementwise work between a few neighbourhood operations: exactly what fuses. This one makes its own picture, so there is nothing to download.
%%
%[text] ## A picture
[u, v] = meshgrid(linspace(-3, 3, 600), linspace(-2, 2, 400));
clean = exp(-(u.^2 + v.^2)) + 0.6*exp(-4*((u - 1.5).^2 + (v - 0.7).^2)) + 0.15*(sin(9*u) > 0.7);
rng(3)
noisy = clean + 0.15*randn(size(clean));
imagesc(noisy)
axis image
colormap gray
title('As it came')
%%
%[text] ## Smoothing
%[text] A Gaussian of width $ \\sigma ${"altText":"sigma"} is separable: first along the rows, then along the columns.
sigma = 2.5; %[control:slider:2001]{"position":[9,12]}
reach = ceil(3*sigma);
g = exp(-(-reach:reach).^2 / (2*sigma^2));
g = g / sum(g);
smooth = conv2(g, g, noisy, 'same');
imagesc(smooth)
axis image
title("Smoothed, sigma = " + sigma)
%%
%[text] ## Brightness and contrast
%[text] Normalising, the gamma curve and clipping are one kernel, whatever the number of lines they are written in.
gamma = 0.8; %[control:slider:2002]{"position":[9,12]}
p = smooth - min(smooth(:));
p = p / max(p(:));
p = min(max(p .^ gamma, 0), 1);
imagesc(p)
axis image
colorbar
title("gamma = " + gamma)
%%
%[text] ## Edges
dx = conv2(p, [-1 0 1]/2, 'same');
dy = conv2(p, [-1; 0; 1]/2, 'same');
edges = sqrt(dx.^2 + dy.^2);
imagesc(edges)
axis image
title('Length of the gradient')
strongest = max(edges(:))

%[appendix]{"version":"1.0"}
%---
%[metadata:view]
%   data: {"layout":"inline","rightPanelPercent":40}
%---
%[control:slider:2001]
%   data: {"defaultValue":2.5,"label":"sigma","max":8,"min":0.5,"run":"SectionToEnd","runOn":"ValueChanging","step":0.1}
%---
%[control:slider:2002]
%   data: {"defaultValue":0.8,"label":"gamma","max":2.5,"min":0.2,"run":"SectionToEnd","runOn":"ValueChanging","step":0.05}
%---
