classdef RandStream < handle
    % A stream of random numbers beside the one that rand, randn and randi draw from.
    %   s = RandStream('mt19937ar', 'Seed', 1); x = rand(s, 2, 3);
    %   RandStream.setGlobalStream(s) makes it the stream of rand itself.
    properties (SetAccess = private)
        Type = 'philox';
        Seed = 0;
        NumStreams = 1;
        StreamIndex = 1;
    end

    properties
        State
    end

    properties (Access = private)
        IsGlobal = false;
    end

    methods
        function s = RandStream(type, varargin)
            % RandStream(type, 'Seed', seed): type is mt19937ar (twister) or philox.
            if nargin > 0
                s.Type = char(type);
            end
            for k = 1:2:numel(varargin)
                if strcmpi(varargin{k}, 'Seed')
                    s.Seed = varargin{k + 1};
                end
            end
            if ischar(s.Seed) || isstring(s.Seed)
                s.Seed = mod(floor(now()*8.64e6), 2^31 - 1);
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
            s.State = now.State;
            if ~s.IsGlobal
                rng(before);
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
            s.State = after.State;
            rng(before);
        end

        function found = settings(s)
            % What rng needs to go on with this stream.
            found = struct('Type', RandStream.generator(s.Type), 'Seed', s.Seed, 'State', s.State);
        end
    end

    methods (Static)
        function varargout = create(type, varargin)
            % RandStream.create(type, 'NumStreams', n, 'Seed', seed): streams that differ.
            given = struct('numstreams', max(nargout, 1), 'streamindices', 1:max(nargout, 1), ...
                'seed', 0);
            for k = 1:2:numel(varargin)
                given.(lower(varargin{k})) = varargin{k + 1};
            end
            if ischar(given.seed) || isstring(given.seed)
                given.seed = mod(floor(now()*8.64e6), 2^31 - 1);
            end
            for k = 1:max(nargout, 1)
                place = given.streamindices(k);
                s = RandStream(type, 'Seed', mod(given.seed + 7919*(place - 1), 2^31));
                [s.NumStreams, s.StreamIndex] = deal(given.numstreams, place);
                varargout{k} = s;
            end
        end

        function before = setGlobalStream(s)
            % The stream that rand, randn and randi draw from, from now on; gives the old one.
            before = RandStream.getGlobalStream();
            before.IsGlobal = false;
            old = rng;
            before.State = old.State;
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

        function name = generator(type)
            if any(strcmpi(type, {'mt19937ar', 'twister', 'mcg16807', 'mlfg6331_64', 'swb2712'}))
                name = 'twister';
            else
                name = 'philox';
            end
        end
    end
end
