%[text] # Plots from device memory
%[text] A plot of a million points is drawn from the buffer that the points were computed into. The margin says how many bytes were moved: only the limits of the axes come to main memory. Click a figure, then drag to move and turn the wheel to zoom; until you click, the wheel scrolls the page.
%[text:tableOfContents]{"heading":"What is here"}
%%
%[text] ## Lines
t = single(linspace(0, 40, 1e6));
plot(t, sin(t) + 0.3*sin(37*t), t, cos(t))
legend('with a ripple', 'without')
xlabel('t')
grid on
%%
%[text] ## Many points
%[text] Points that cover each other are counted, so that two hundred thousand of them are a picture and not a blot.
rng(2)
x = randn(2e5, 1);
scatter(x, 0.6*x + 0.4*randn(2e5, 1), 4, 'filled', 'MarkerFaceAlpha', 0.15)
axis equal
%%
%[text] ## Surfaces
[a, b] = meshgrid(linspace(-8, 8, 121));
r = sqrt(a.^2 + b.^2) + eps;
surf(a, b, sin(r) ./ r)
shading interp
view(-35, 40)
%%
%[text] ## Several in one
names = ["one", "two", "three", "four"];
tiledlayout(1, 2)
nexttile
bar(categorical(names, names), [3 7 5 2])
title('Bars')
nexttile
contourf(peaks(60), 12)
title('Levels')
%%
%[text] ## Letters
%[text] Titles and labels understand LaTeX, as the text of this page does: $ \\int\_0^1 x^2 \\, dx = \\frac{1}{3} ${"altText":"the integral of x squared from 0 to 1 is one third"}.
q = linspace(0, 1, 200);
figure
area(q, q.^2)
title('$\int_0^1 x^2\,dx = \frac{1}{3}$', 'Interpreter', 'latex')

%[appendix]{"version":"1.0"}
%---
%[metadata:view]
%   data: {"layout":"inline","rightPanelPercent":40}
%---
