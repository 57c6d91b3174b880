%[text] # Debugging on the device
%[text] Code that runs as one fused kernel can still be inspected: lines keep their errors, breakpoints keep their places, and a `NaN` can be traced to the operation that made it.
%%
%[text] ## An error keeps its line
%[text] Shapes are known while an expression is captured, so a mismatch is reported on the line that wrote it, long before anything runs. `A*B` below is caught, and the message says why.
A = ones(3, 4);
B = ones(3, 4);
try
    C = A * B;
catch problem
    disp(problem.message)
end
%%
%[text] ## Where did the NaN come from?
%[text] `dbstop if naninf` stops at the operation *inside* a fused kernel that makes the first one. Here the culprit is $ 0/0 ${"altText":"zero over zero"} at the middle of the range:
x = linspace(-1, 1, 5);
y = sin(x) ./ x
bad = find(isnan(y))
%[text] The limit is one, and the usual remedy costs nothing, since it fuses too:
y(x == 0) = 1
%%
%[text] ## Warnings stay with their lines
%[text] The warnings of a line appear below it, and in the file when outputs are stored.
warning('demo:scale', 'The scale %g is larger than usual.', 1e9)
%%
%[text] ## Look while it runs
%[text] Click into the margin of a cell beside a line number to stop there, then run the section: the debugger's panels show the variables at that moment. To set a condition such as `k == 7`, right-click the breakpoint.
total = 0;
for k = 1:10
    total = total + k^2;
end
total

%[appendix]{"version":"1.0"}
%---
%[metadata:view]
%   data: {"layout":"inline","rightPanelPercent":40}
%---
