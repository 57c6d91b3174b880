function runtext(code)
% Run a text in a worker.
eval(code);
end
