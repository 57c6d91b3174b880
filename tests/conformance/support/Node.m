classdef Node < handle
  properties
    value
    next = []
    children = {}
  end
  methods
    function n = Node(v), if nargin, n.value = v; end, end
    function add(n, c), n.children{end + 1} = c; end
    function t = total(n)
      t = n.value;
      for k = 1:numel(n.children), t = t + n.children{k}.total(); end
    end
    function delete(n), fprintf('deleted %d\n', n.value); end
  end
end
