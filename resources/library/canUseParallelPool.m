function tf = canUseParallelPool()
% Whether a pool of workers is there or may be started: not in a worker.
tf = isempty(getCurrentWorker());
end
