classdef Savings < Account
  properties
    rate = 0.1
  end
  methods
    function s = Savings(owner, balance, rate)
      s@Account(owner, balance);
      if nargin > 2, s.rate = rate; end
    end
    function deposit(s, amount)
      deposit@Account(s, amount * 2);
    end
    function addInterest(s)
      s.deposit(s.balance * s.rate);
    end
  end
end
