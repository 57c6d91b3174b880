classdef Account < handle
  properties (SetAccess = private)
    balance = 0
  end
  properties (Access = private)
    log = {}
  end
  properties
    owner = 'nobody'
  end
  events
    Deposited
  end
  methods
    function a = Account(owner, balance)
      if nargin > 0, a.owner = owner; end
      if nargin > 1, a.balance = balance; end
    end
    function deposit(a, amount)
      a.balance = a.balance + amount;
      a.log{end + 1} = sprintf('+%d', amount);
      notify(a, 'Deposited');
    end
    function n = entries(a), n = numel(a.log); end
    function s = last(a), s = a.log{end}; end
  end
  methods (Access = private)
    function secret(a), disp(a.owner); end
  end
end
