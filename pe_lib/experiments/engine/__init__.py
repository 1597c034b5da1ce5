"""What experiments have in common that train the same small model with every encoding.

An experiment (``experiment``) says which runs there are (``runs``), what they learn from and what
is measured. In return it has a plan, a tuning, several seeds, any number of processes that may stop
and go on at any time (``training``, ``work``, ``share``, ``kept``), commands (``command``), and
tables that name the code and the machine of every number (``tables``).
"""
