classdef Task < handle
    % One call of a job: its function, inputs, state, outputs, error and what it printed.
    properties (SetAccess = private)
        ID = 0;
        Function = [];
        NumOutputArguments = 0;
        InputArguments = {};
        Parent = [];
    end

    properties
        Name = '';
        UserData = [];
    end

    properties (Hidden)
        Future = [];
        Cancelled = false;
    end

    properties (Dependent)
        State
        OutputArguments
        Error
        ErrorMessage
        ErrorIdentifier
        Diary
    end

    methods
        function t = Task(job, id, fcn, nout, in)
            % A call of fcn with the inputs in, for nout outputs.
            t.Parent = job;
            t.ID = id;
            t.Function = fcn;
            t.NumOutputArguments = nout;
            t.InputArguments = in;
            t.Name = sprintf('Task%d', id);
        end

        function s = get.State(t)
            % pending, queued, running or finished.
            if t.Cancelled
                s = 'finished';
            elseif isempty(t.Future)
                s = 'pending';
            else
                s = t.Future.State;
            end
        end

        function v = get.OutputArguments(t)
            % Outputs, once it has finished.
            v = {};
            if ~isempty(t.Future) && strcmp(t.Future.State, 'finished') && isempty(t.Future.Error)
                v = t.Future.OutputArguments;
            end
        end

        function e = get.Error(t)
            % What it failed with; empty without an error.
            e = [];
            if ~isempty(t.Future), e = t.Future.Error; end
        end

        function m = get.ErrorMessage(t)
            % The message of its error.
            m = '';
            if ~isempty(t.Error), m = t.Error.message; end
        end

        function m = get.ErrorIdentifier(t)
            % The identifier of its error.
            m = '';
            if ~isempty(t.Error), m = t.Error.identifier; end
        end

        function d = get.Diary(t)
            % What it printed.
            d = '';
            if ~isempty(t.Future), d = t.Future.Diary; end
        end

        function cancel(t)
            % Stop it.
            if isempty(t.Future)
                t.Cancelled = true;
            else
                cancel(t.Future);
            end
        end

        function ok = wait(t, varargin)
            % Wait until it has finished.
            ok = wait(t.Future, varargin{:});
        end
    end
end
