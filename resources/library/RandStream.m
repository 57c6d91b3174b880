classdef RandStream < handle
    % A stream of random numbers beside the one that rand, randn and randi draw from.
    %   s = RandStream('mt19937ar', 'Seed', 1); x = rand(s, 2, 3);
    %   RandStream.setGlobalStream(s) makes it the stream of rand itself.
    %   Streams of mrg32k3a, mlfg6331_64, philox and threefry have substreams: s.Substream = k begins
    %   the k-th, which is the same whatever was drawn before.
    properties (SetAccess = private)
        Type = 'philox';
        Seed = 0;
        NumStreams = 1;
        StreamIndex = 1;
        NormalTransform = 'Inversion';
    end

    properties
        Substream = 1;
    end

    properties (Dependent)
        State
    end

    properties (Access = private)
        IsGlobal = false;
        Reached
    end

    methods
        function s = RandStream(type, varargin)
            % RandStream(type, 'Seed', seed): type is mt19937ar (twister), philox, threefry, mrg32k3a ...
            if nargin > 0
                s.Type = char(type);
                RandStream.generator(s.Type);
            end
            for k = 1:2:numel(varargin)
                switch lower(char(varargin{k}))
                    case 'seed', s.Seed = RandStream.number(varargin{k + 1});
                    case 'normaltransform', s.NormalTransform = char(varargin{k + 1});
                    otherwise
                        error('MATLAB:RandStream:UnknownOption', ...
                            'RandStream has no option ''%s''.', char(varargin{k}));
                end
            end
            reset(s);
        end

        function reset(s, seed)
            % Begin anew, from another seed if one is given.
            if nargin > 1
                s.Seed = seed;
            end
            before = rng;
            rng(s.Seed, RandStream.generator(s.Type));
            now = rng;
            s.Reached = now.State;
            if ~s.IsGlobal
                rng(before);
            end
            s.Substream = 1;
        end

        function set.Substream(s, k)
            % Go to the beginning of a substream.
            if ~(isnumeric(k) && isscalar(k) && k >= 1 && k == floor(k) && k <= 2^20)
                error('MATLAB:RandStream:InvalidSubstream', ...
                    'Substream must be a whole number from 1 to 2^20.');
            end
            if strcmp(RandStream.generator(s.Type), 'philox') %#ok<MCSUP>
                s.State = (k - 1)*2^32; %#ok<MCSUP>
            elseif k ~= 1
                error('MATLAB:RandStream:NoSubstreams', ...
                    'A stream of %s has no substreams; one of mrg32k3a, philox or threefry has.', s.Type); %#ok<MCSUP>
            end
            s.Substream = k;
        end

        function state = get.State(s)
            % Where the stream has got to.
            if s.IsGlobal
                now = rng;
                s.Reached = now.State;
            end
            state = s.Reached;
        end

        function set.State(s, state)
            % Go on from a state that was read before.
            s.Reached = state;
            if s.IsGlobal
                rng(settings(s));
            end
        end

        function varargout = rand(s, varargin)
            % Uniform numbers of this stream.
            [varargout{1:max(nargout, 1)}] = draw(s, 'rand', varargin{:});
        end

        function varargout = randn(s, varargin)
            % Normal numbers of this stream.
            [varargout{1:max(nargout, 1)}] = draw(s, 'randn', varargin{:});
        end

        function varargout = randi(s, varargin)
            % Whole numbers of this stream.
            [varargout{1:max(nargout, 1)}] = draw(s, 'randi', varargin{:});
        end

        function varargout = randperm(s, varargin)
            % A permutation drawn from this stream.
            [varargout{1:max(nargout, 1)}] = draw(s, 'randperm', varargin{:});
        end
    end

    methods (Access = private)
        function varargout = draw(s, name, varargin)
            if s.IsGlobal
                [varargout{1:nargout}] = builtin(name, varargin{:});
                return
            end
            before = rng;
            rng(settings(s));
            [varargout{1:nargout}] = builtin(name, varargin{:});
            after = rng;
            s.Reached = after.State;
            rng(before);
        end

        function found = settings(s)
            % What rng needs to go on with this stream.
            found = struct('Type', RandStream.generator(s.Type), 'Seed', s.Seed, 'State', s.Reached);
        end
    end

    methods (Static)
        function varargout = create(type, varargin)
            % RandStream.create(type, 'NumStreams', n, 'Seed', seed): streams that differ.
            given = struct('numstreams', max(nargout, 1), 'streamindices', [], ...
                'seed', 0, 'normaltransform', 'Inversion', 'celloutput', false);
            for k = 1:2:numel(varargin)
                name = lower(char(varargin{k}));
                if ~isfield(given, name)
                    error('MATLAB:RandStream:UnknownOption', ...
                        'RandStream.create has no option ''%s''.', char(varargin{k}));
                end
                given.(name) = varargin{k + 1};
            end
            if isempty(given.streamindices)
                given.streamindices = 1:given.numstreams;
            end
            first = RandStream.number(given.seed);
            streams = cell(1, numel(given.streamindices));
            for k = 1:numel(streams)
                place = given.streamindices(k);
                s = RandStream(type, 'Seed', mod(first + 7919*(place - 1), 2^31), ...
                    'NormalTransform', given.normaltransform);
                [s.NumStreams, s.StreamIndex] = deal(given.numstreams, place);
                streams{k} = s;
            end
            if given.celloutput
                varargout = {streams};
            else
                varargout = streams(1:max(nargout, 1));
            end
        end

        function before = setGlobalStream(s)
            % The stream that rand, randn and randi draw from, from now on; gives the old one.
            before = RandStream.getGlobalStream();
            before.Reached = before.State;
            before.IsGlobal = false;
            rng(settings(s));
            s.IsGlobal = true;
            RandStream.current(s);
        end

        function s = getGlobalStream()
            % The stream that rand, randn and randi draw from.
            s = RandStream.current();
            if isempty(s)
                settings = rng;
                s = RandStream(settings.Type, 'Seed', settings.Seed);
                s.IsGlobal = true;
                rng(settings);
                RandStream.current(s);
            end
        end

        function before = setDefaultStream(s)
            % Older name of setGlobalStream.
            before = RandStream.setGlobalStream(s);
        end

        function s = getDefaultStream()
            % Older name of getGlobalStream.
            s = RandStream.getGlobalStream();
        end
    end

    methods (Static, Access = private)
        function s = current(s)
            persistent held
            if nargin > 0
                held = s;
            end
            s = held;
        end

        function seed = number(given)
            % The seed that a number or 'shuffle' means.
            seed = given;
            if ischar(given) || isstring(given)
                seed = mod(floor(now()*8.64e6), 2^31 - 1);
            end
        end

        function name = generator(type)
            % Which of our two generators stands for one of MATLAB's: those with substreams are philox.
            switch lower(type)
                case {'mt19937ar', 'twister', 'mcg16807', 'swb2712', 'dsfmt19937', 'shr3cong', 'simdtwister', 'v5uniform', 'v5normal', 'v4'}
                    name = 'twister';
                case {'philox', 'philox4x32_10', 'threefry', 'threefry4x64_20', 'mrg32k3a', 'combrecursive', 'mlfg6331_64', 'multfibonacci'}
                    name = 'philox';
                otherwise
                    error('MATLAB:RandStream:UnknownRNGType', 'There is no generator ''%s''.', type);
            end
        end
    end
end
