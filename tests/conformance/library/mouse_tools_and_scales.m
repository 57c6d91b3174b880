% dialect: matlab
% oracle: Octave has no such objects
z = zoom; z.Motion = 'horizontal'; z.Enable = 'on'
set(z, 'Enable', 'off'); disp(get(z, 'Enable')), z.Direction = 'out'; disp(z.Direction)
p = pan; p.Enable = 'on'; r = rotate3d; r.RotateStyle = 'box'; d = datacursormode(gcf); d.DisplayStyle = 'window'; disp(d.DisplayStyle)
try, d.UpdateFcn = @(a, b) 1; catch e, disp(e.message), end
try, z.Rubbish = 1; catch e, disp(e.message), end
plot([0 4], [0 2]); xlim([0 4]); ylim([0 2]); zoom(2); disp(xlim), disp(ylim), zoom out, disp(get(gca, 'XLimMode'))
xscale log; yscale(gca, "linear"); disp(get(gca, 'XScale')), disp(get(gca, 'YScale'))
try, xscale('cubic'); catch e, disp(e.message), end
q = inputParser; addRequired(q, 'a'); addParameter(q, 'b', 1); q
