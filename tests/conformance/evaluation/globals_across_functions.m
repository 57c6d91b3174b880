function setup(), global CFG; CFG.level = 3; CFG.names = {'a'}; end
function r = level(), global CFG; r = CFG.level; end
function add(n), global CFG; CFG.names{end + 1} = n; end
setup(); disp(level()); add('b'); add('c'); global CFG; disp(numel(CFG.names)); CFG.level = 9; disp(level()); global A B; A = 1; B = 2; disp(A + B); function r = unset(), global NEVER; r = isempty(NEVER); end
disp(unset()); clear -global A; global A; disp(isempty(A)); x = 5; 
