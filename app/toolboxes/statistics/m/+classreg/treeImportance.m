function imp = treeImportance(risk, children, predictor, count)
% The risk that the splits at each predictor take away, over the number of splits.
imp = zeros(1, count);
inner = find(predictor > 0);
for k = inner'
    imp(predictor(k)) = imp(predictor(k)) + risk(k) - sum(risk(children(k, :)));
end
imp = imp/max(numel(inner), 1);
end
