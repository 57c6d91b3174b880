%[text] # Fusion: one kernel for a whole expression
%[text] MATLAB code is a chain of array operations. Carried out one by one, each reads and writes all of its data. Fuselab looks at the chain first and makes **one kernel** of it: every element goes through all operations in registers, and only the result is written.
%[text] The margin of each section says what its last run cost. Press `Ctrl+Enter` to run a section, `F5` to run all.
%%
%[text] ## A chain of six operations
%[text] The data: one million numbers, made on the device by a counter-based generator, never stored anywhere unless somebody reads them.
n = 1e6;
x = rand(n, 1, 'single');
%[text] The chain $ y = \\frac{1}{2} \\sin(3x) \\, e^{-x} + 0.1 ${"altText":"y is one half sine of 3 x times e to the minus x plus 0.1"} has six operations. Nothing is computed while these lines run; `mean` asks for a number, and that is when one kernel does everything; a second one adds up the sums of its groups.
y = 0.5 * sin(3*x) .* exp(-x) + 0.1;
m = mean(y)
%%
%[text] ## Why it matters
%[text] Memory is slower than arithmetic. These are the bytes that the chain would move, operation by operation, against those of one fused kernel:
%[text:table]
%[text] | | passes over memory | bytes for one million singles |
%[text] | --- | --- | --- |
%[text] | one operation at a time | 13 | 52 MB |
%[text] | fused, with the mean | **0** | **4 bytes** |
%[text:table]
passes = [13 0];
bar(categorical({'one by one', 'fused'}), passes * 4 * n / 1e6)
ylabel('megabytes moved')
title('What fusion saves')
%%
%[text] ## A knob on it
%[text] Numbers of the code enter kernels as parameters. Move the slider: the section runs again with the *same* kernel, so nothing is compiled.
k = 3; %[control:slider:0001]{"position":[5,6]}
t = linspace(0, 2, 20000);
plot(t, 0.5 * sin(k*t) .* exp(-t) + 0.1)
ylim([-0.4 0.6])
title("k = " + k)

%[appendix]{"version":"1.0"}
%---
%[metadata:view]
%   data: {"layout":"inline","rightPanelPercent":40}
%---
%[control:slider:0001]
%   data: {"defaultValue":3,"label":"k","max":30,"min":0,"run":"Section","runOn":"ValueChanging","step":0.1}
%---
