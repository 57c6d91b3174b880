% dialect: matlab
% Functions of texts with several outputs are methods of strings, too
row = "a b";
x = row.split(" ")
[y, m] = row.split();
disp([y' m row.split(" ").upper()'])
try, ["a b"; "c"].split(" "), catch e, disp(e.message), end
ismember('upper', methods('string')) && ismethod(row, 'upper') && ~ismethod(row, 'sin')
x = ["2.5"; "10"].double
disp(["b" "a"].sort()), disp({class(row.char()), class(row.cellstr), row.eq("a b")})
disp([row missing].ismissing)
% What is no text is refused
try, strcat(1, 2), catch e, disp(e.message), end
disp(double(strcat('a', 10, 'b')))
try, xlabel(), catch e, disp(e.message), end
plot(1:3);
try, legend(3), catch e, disp(e.message), end
l = legend('a', 2); disp(l.String)
dirac([-1 0 NaN single(1)])
feature('getpid') == getpid
try, feature('rubbish'), catch e, disp(e.message), end
% Coordinates of a volume may be left empty
V = zeros(4, 5, 6); V(2:3, 2:4, 2:5) = 1;
isequal(isosurface([], [], [], V, 0.5), isosurface(V, 0.5))
try, isosurface(1:5, 1:4, ones(4, 6), V, 0.5), catch e, disp(e.message), end
% Every edge and node of a graph may have a look of its own
clf
G = digraph([1 1 2 3 4], [2 3 4 4 1], 1:5);
p = plot(G, 'LineWidth', G.Edges.Weight/2, 'EdgeLabel', G.Edges.Weight);
lines = findobj(gca, 'Type', 'line'); disp(numel(lines))
disp(sort([lines.LineWidth]))
p = plot(G, 'EdgeCData', 1:5, 'NodeCData', 1:4, 'MarkerSize', [3 4 5 6], 'ArrowSize', 10);
disp(clim), disp(p.LineWidth), disp(numel(findobj(gca, 'Type', 'line')))
p.Marker = {'o', 's', 'd', 'o'};
try, p.Colour = 2; catch e, disp(e.message), end
try, plot(G, 'LineWidth', [1 2]), catch e, disp(e.message), end
% A member of several handles is a list
L = plot(magic(3)); [L.LineWidth] = deal(1, 2, 3);
disp([L.LineWidth]), disp(size([L.XData])), c = {L.LineWidth}; disp(size(c))
[L(1:2).LineWidth] = deal(7); w = [L([3 1]).LineWidth]
L.LineWidth
