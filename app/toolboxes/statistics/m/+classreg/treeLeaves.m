function node = treeLeaves(m, X)
% The node in which each row ends; one whose number is unknown stays where it was asked for.
node = ones(size(X, 1), 1);
going = (1:size(X, 1))';
while ~isempty(going)
    here = node(going);
    inner = m.CutPredictorIndex(here) > 0;
    going = going(inner);
    here = here(inner);
    value = X(sub2ind(size(X), going, m.CutPredictorIndex(here)));
    known = ~isnan(value);
    [going, here, value] = deal(going(known), here(known), value(known));
    side = 2 - (value < m.CutPoint(here));
    node(going) = m.Children(sub2ind(size(m.Children), here, side));
end
end
