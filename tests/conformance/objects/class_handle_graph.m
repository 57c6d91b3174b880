% oracle: destructors run when the last reference goes
addpath('support'); n = Node(1); m = Node(2); n.add(m); n.add(Node(3)); disp(n.total()); n.next = m; disp(n.next.value); n.next.value = 20; disp(m.value); clear m; disp('cleared m'); n.children = {}; n.next = []; disp('dropped'); clear n; disp('end'); function f(), k = Node(7); disp('in f'); end
f();
