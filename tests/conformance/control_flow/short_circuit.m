1;
function r = yes(), fprintf('yes '); r = true; end
function r = no(), fprintf('no '); r = false; end
if yes() || no(), disp('1'); end, if no() && yes(), disp('2'); else, disp('3'); end, if no() | yes(), disp('4'); end
if no() & yes(), disp('5'); else, disp('6'); end, x = no() || yes(); disp(x); x = yes() && no(); disp(x); if ~no() && yes(), disp('7'); end
