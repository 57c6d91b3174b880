function setg(v), global G, G = v; end
function r = getg(), global G, r = G; end
global G
disp(isempty(G)); setg(5); disp(G); G = 7; disp(getg()); clear G; disp(exist('G')); global G, disp(G);
