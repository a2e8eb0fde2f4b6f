/**
 * The index of the ledger, for all gateways of a team. A released text never changes. Columns of milliseconds hold
 * microseconds; the view for people and programs shows milliseconds.
 */
export const LEDGER_TABLES = `
  -- A row and no sequence of the database's own: its lock is held until the commit, so that whoever sees number n
  -- has seen all before it, and a transaction that fails leaves no gap.
  CREATE TABLE narrowgate.ledger_sequence (last bigint NOT NULL);
  INSERT INTO narrowgate.ledger_sequence VALUES (0);

  -- How far each gateway's log was taken over.
  CREATE TABLE narrowgate.ledger_writers (
    name    text COLLATE "C" PRIMARY KEY,
    segment bigint NOT NULL DEFAULT 0,
    next    bigint NOT NULL DEFAULT 0, -- offset of the first byte that was not taken over
    line    bigint NOT NULL DEFAULT 0, -- offset of the last line that was
    n       bigint NOT NULL DEFAULT 0,
    hash    text NOT NULL DEFAULT repeat('0', 64),
    fault   text,                      -- JSON: where the chain breaks, if it does
    head    bigint NOT NULL DEFAULT 0, -- number of the log's last durable record, as its gateway said with its last batch
    shipped timestamptz NOT NULL DEFAULT now()
  );

  CREATE TABLE narrowgate.exchanges (
    seq      bigint PRIMARY KEY,
    writer   text COLLATE "C" NOT NULL,
    n        bigint NOT NULL, -- of the intent or refusal
    unclosed boolean NOT NULL,
    id       text COLLATE "C" NOT NULL,
    opened   text COLLATE "C",
    closed   text COLLATE "C",
    origin   text COLLATE "C",
    door     text COLLATE "C",
    peer     text COLLATE "C",
    task     text COLLATE "C",
    run      text COLLATE "C",
    "grant"  text COLLATE "C",
    link     text COLLATE "C",
    person   text COLLATE "C",
    key      text COLLATE "C",
    tool     text COLLATE "C",
    model    text COLLATE "C",
    method   text COLLATE "C",
    host     text COLLATE "C",
    url      text COLLATE "C",
    outcome  text COLLATE "C" NOT NULL,
    ran      text COLLATE "C",
    code     text COLLATE "C",
    axis     text COLLATE "C",
    axes     text COLLATE "C",
    caveat   text COLLATE "C",
    status   bigint,
    request_bytes   bigint,
    response_bytes  bigint,
    delivered_bytes bigint,
    ms          bigint,
    upstream_ms bigint,
    own_ms      bigint,
    times    bigint NOT NULL,
    noise    bigint NOT NULL,
    shadowed bigint NOT NULL,
    policy   text COLLATE "C",
    intent   text NOT NULL, -- the records as the log has them
    result   text,
    UNIQUE (writer, n)
  ) WITH (fillfactor = 90);
  -- By hash where a value may be longer than an ordered index takes.
  CREATE INDEX exchanges_id ON narrowgate.exchanges USING hash (id);
  CREATE INDEX exchanges_opened ON narrowgate.exchanges (opened);
  CREATE INDEX exchanges_task ON narrowgate.exchanges USING hash (task);
  CREATE INDEX exchanges_grant ON narrowgate.exchanges USING hash ("grant");

  CREATE TABLE narrowgate.events (
    seq bigint PRIMARY KEY, writer text COLLATE "C" NOT NULL, n bigint NOT NULL, record text NOT NULL,
    UNIQUE (writer, n)
  );

  -- Takes over a batch of a log, where it begins at the place up to which that log was taken over: a batch that comes
  -- a second time changes nothing. Gives the number of the log's last record that is there.
  CREATE FUNCTION narrowgate.ship(
    writer_name text, former bigint, place json, opened_rows json, closed_rows json, event_rows json
  )
  RETURNS bigint LANGUAGE plpgsql SET search_path = '' AS $$
  DECLARE
    stored bigint;
    base bigint;
    more bigint := json_array_length(opened_rows) + json_array_length(event_rows);
  BEGIN
    INSERT INTO narrowgate.ledger_writers (name) VALUES (writer_name) ON CONFLICT (name) DO NOTHING;
    SELECT w.n INTO stored FROM narrowgate.ledger_writers w WHERE w.name = writer_name FOR UPDATE;
    IF stored <> former THEN RETURN stored; END IF;
    IF more > 0 THEN
      UPDATE narrowgate.ledger_sequence s SET last = s.last + more RETURNING s.last - more INTO base;
      INSERT INTO narrowgate.exchanges
        SELECT base + o.rank, writer_name, o.n, o.unclosed, o.id, o.opened, o.closed, o.origin, o.door, o.peer, o.task,
          o.run, o."grant", o.link, o.person, o.key, o.tool, o.model, o.method, o.host, o.url, o.outcome, o.ran, o.code,
          o.axis, o.axes, o.caveat, o.status, o.request_bytes, o.response_bytes, o.delivered_bytes, o.ms, o.upstream_ms,
          o.own_ms, o.times, o.noise, o.shadowed, o.policy, o.intent, o.result
        FROM json_to_recordset(opened_rows) AS o (rank bigint, n bigint, unclosed boolean, id text, opened text, closed text,
          origin text, door text, peer text, task text, run text, "grant" text, link text, person text, key text,
          tool text, model text, method text, host text, url text, outcome text, ran text, code text, axis text,
          axes text, caveat text, status bigint, request_bytes bigint, response_bytes bigint, delivered_bytes bigint,
          ms bigint, upstream_ms bigint, own_ms bigint, times bigint, noise bigint, shadowed bigint, policy text,
          intent text, result text)
        ON CONFLICT DO NOTHING;
      INSERT INTO narrowgate.events
        SELECT base + e.rank, writer_name, e.n, e.record
        FROM json_to_recordset(event_rows) AS e (rank bigint, n bigint, record text)
        ON CONFLICT DO NOTHING;
    END IF;
    -- The first outcome stands.
    UPDATE narrowgate.exchanges x SET unclosed = false, opened = coalesce(c.opened, x.opened),
      closed = coalesce(c.closed, x.closed), origin = coalesce(c.origin, x.origin), door = coalesce(c.door, x.door),
      peer = coalesce(c.peer, x.peer), task = coalesce(c.task, x.task), run = coalesce(c.run, x.run),
      "grant" = coalesce(c."grant", x."grant"), link = coalesce(c.link, x.link), person = coalesce(c.person, x.person),
      key = coalesce(c.key, x.key), tool = coalesce(c.tool, x.tool), model = coalesce(c.model, x.model),
      method = coalesce(c.method, x.method), host = coalesce(c.host, x.host), url = coalesce(c.url, x.url),
      outcome = coalesce(c.outcome, x.outcome), ran = coalesce(c.ran, x.ran), code = coalesce(c.code, x.code),
      axis = coalesce(c.axis, x.axis), axes = coalesce(c.axes, x.axes), caveat = coalesce(c.caveat, x.caveat),
      status = coalesce(c.status, x.status), request_bytes = coalesce(c.request_bytes, x.request_bytes),
      response_bytes = coalesce(c.response_bytes, x.response_bytes),
      delivered_bytes = coalesce(c.delivered_bytes, x.delivered_bytes), ms = coalesce(c.ms, x.ms),
      upstream_ms = coalesce(c.upstream_ms, x.upstream_ms), own_ms = coalesce(c.own_ms, x.own_ms),
      times = coalesce(c.times, x.times), noise = coalesce(c.noise, x.noise),
      shadowed = coalesce(c.shadowed, x.shadowed), policy = coalesce(c.policy, x.policy), result = c.result
    FROM json_to_recordset(closed_rows) AS c (n bigint, opened text, closed text, origin text, door text, peer text,
      task text, run text, "grant" text, link text, person text, key text, tool text, model text, method text,
      host text, url text, outcome text, ran text, code text, axis text, axes text, caveat text, status bigint,
      request_bytes bigint, response_bytes bigint, delivered_bytes bigint, ms bigint, upstream_ms bigint,
      own_ms bigint, times bigint, noise bigint, shadowed bigint, policy text, result text)
    WHERE x.writer = writer_name AND x.n = c.n AND x.unclosed;
    UPDATE narrowgate.ledger_writers w SET segment = p.segment, next = p.next, line = p.line, n = p.n, hash = p.hash,
      fault = p.fault, head = p.head, shipped = now()
      FROM json_to_record(place) AS p (segment bigint, next bigint, line bigint, n bigint, hash text, fault text,
        head bigint)
      WHERE w.name = writer_name
      RETURNING w.n INTO stored;
    RETURN stored;
  END $$;

  -- For programs that speak SQL: its columns stay, and later versions only add to them.
  CREATE VIEW narrowgate.exchanges_v1 AS
    SELECT seq, id, opened::timestamptz AS opened, closed::timestamptz AS closed, origin, door, peer, task, run,
      "grant", link, person, key, tool, model, method, host, url, outcome, ran, code, axis, axes, caveat,
      status::int AS status, request_bytes, response_bytes, delivered_bytes, ms / 1000.0 AS ms,
      upstream_ms / 1000.0 AS upstream_ms, own_ms / 1000.0 AS own_ms, times, noise = 1 AS noise,
      shadowed = 1 AS shadowed, policy,
      (SELECT sum(head - n) FROM narrowgate.ledger_writers)::bigint AS lag
    FROM narrowgate.exchanges;
`
