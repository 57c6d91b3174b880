% oracle: Octave has no arguments blocks
% dialect: matlab
addpath support
shown_("Red"); shown_("red"); shown_('GREEN'); shown_('Green'); shown_(Color.Red); shown_
try, shown_("Pink"), catch e, disp(e.message), end
try, shown_({'Red'}), catch e, disp(e.identifier), end
whole_("2020-03-04")
function shown_(c)
arguments
  c (1,1) Color = "Green"
end
disp([class(c) ' ' char(c)])
end
function whole_(d)
arguments
  d (1,1) datetime
end
disp(year(d))
end
