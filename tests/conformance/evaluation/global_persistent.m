1;
function r = counter(), persistent n; if isempty(n), n = 0; end, n = n + 1; r = n; end
function setg(v), global G; G = v; end
function r = getg(), global G; r = G; end
counter(); counter(); disp(counter()); global G; G = 5; disp(getg()); setg(7); disp(G); clear G; global G; disp(G);
function bump(), global H; H(end+1) = numel(H) + 1; end
global H; H = []; bump(); bump(); bump(); disp(H); x.H = 1; disp(x.H);
