% dialect: matlab
% oracle: Octave 7 has no histogram
h = histogram([1 2 2 3 5 9], 4);
h.NumBins = 10; disp(numel(h.Values)), disp(numel(h.BinEdges)), disp(sum(h.Values))
h.BinEdges = 0:2:10; disp(h.Values), h.Normalization = 'probability'; disp(h.Values)
h.Normalization = 'count'; h.BinLimits = [0 5]; disp(h.Values), h.BinWidth = 0.5; disp(numel(h.Values))
h.Data = [1 1 4]; disp(sum(h.Values)), disp(h.Data)
g = histogram('BinEdges', 0:3, 'BinCounts', [1 2 3]); disp(g.Values), g.BinCounts = [3 2 1]; disp(g.Values)
try, g.NumBins = 2; catch e, disp(e.message), end
k = histogram([1 2 3], 'BinEdges', 0:4, 'Normalization', 'cdf'); disp(k.Values)
