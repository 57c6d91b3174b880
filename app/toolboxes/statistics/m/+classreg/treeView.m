function treeView(m, what, values, args)
% Prints the rules of a tree, or draws it.
mode = 'text';
if ~isempty(args)
    if ~strcmpi(args{1}, 'mode'), error('stats:view:UnknownOption', '''%s'' is not an option of view.', char(args{1})); end
    mode = validatestring(args{2}, {'text', 'graph'});
end
if strcmp(mode, 'graph')
    drawn(m, values);
    return
end
if strcmp(what, 'class'), disp('Decision tree for classification'), else, disp('Decision tree for regression'), end
for k = 1:m.NumNodes
    if m.IsBranchNode(k)
        x = m.CutPredictor{k};
        fprintf('%*d  if %s<%g then node %d elseif %s>=%g then node %d else %s\n', numel(sprintf('%d', m.NumNodes)), k, ...
            x, m.CutPoint(k), m.Children(k, 1), x, m.CutPoint(k), m.Children(k, 2), values{k});
    else
        fprintf('%*d  %s = %s\n', numel(sprintf('%d', m.NumNodes)), k, what, values{k});
    end
end
end

function drawn(m, values)
[x, y] = deal(zeros(m.NumNodes, 1));
for k = 2:m.NumNodes, y(k) = y(m.Parent(k)) - 1; end
next = 0;
stack = 1;
while ~isempty(stack)
    k = stack(end);
    stack(end) = [];
    if m.IsBranchNode(k)
        stack = [stack m.Children(k, 2) m.Children(k, 1)];
    else
        next = next + 1;
        x(k) = next;
    end
end
for k = m.NumNodes:-1:1
    if m.IsBranchNode(k), x(k) = mean(x(m.Children(k, :))); end
end
figure('Name', 'Tree');
hold on
for k = 2:m.NumNodes, plot(x([m.Parent(k) k]), y([m.Parent(k) k]), 'b-'); end
for k = 1:m.NumNodes
    if m.IsBranchNode(k)
        plot(x(k), y(k), 'b^');
        text(x(k), y(k) + .15, sprintf('%s < %g', m.CutPredictor{k}, m.CutPoint(k)), 'HorizontalAlignment', 'right', 'Interpreter', 'none');
    else
        plot(x(k), y(k), 'b.');
        text(x(k), y(k) - .15, values{k}, 'HorizontalAlignment', 'center', 'Interpreter', 'none');
    end
end
hold off
axis off
end
