% What scripts of books and courses write: a name of a function in its own file, spelled-out options, markers in capitals
% dialect: matlab
disp(append("a", 'b'));
disp(upper("q"));
[L, U, P] = lu([1 2; 3 4], 'matrix'); disp(P);
[L, U, p] = lu([1 2; 3 4], 'vector'); disp(p);
try, lu(eye(2), 'rows'); catch e, disp(e.identifier); end
format rational
disp(0.75);
format
h = plot(1:3, 'R--O'); disp(h.Marker); disp(h.LineStyle); disp(h.Color);
h = plot(1:3, 2:4, 'X'); disp(h.Marker); disp(h.LineStyle);
load fisheriris; disp(size(meas)); disp(species{end}); disp(mean(meas));

function s = append(t, a)
s = string(t).append(a, "!");
end
function s = upper(t)
s = "mine " + t.upper() + t.lower;
end
