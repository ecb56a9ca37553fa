// Package uciclient drives chess engines that speak the Universal Chess Interface:
//
//	engine, err := uciclient.Start(ctx, "stockfish")
//	if err != nil {
//		return err
//	}
//	defer engine.Quit(ctx)
//	if err := engine.SetOption(ctx, "Threads", "4"); err != nil {
//		return err
//	}
//	for info, err := range engine.Analyze(ctx, uciclient.Game{}, uciclient.Limits{Depth: 20}) {
//		fmt.Println(info.Depth, info.Score, info.PV, err)
//	}
//
// [Engine.Play] returns the move of an engine, [Engine.Analyze] iterates over what it
// reports. [Engine.Search] is below both: a [Search] can be stopped, and pondering
// become a search by [Search.PonderHit]. [Engine.Command] sends a command of the engine's
// own, such as eval, and returns what it writes.
//
// # Engines that misbehave
//
// Every call returns. An engine that ends, at whatever time, is reported as an
// [*ExitError] with its status and what it wrote to its standard error. An engine that
// does not answer is reported as a [*TimeoutError] or by the cause of the context,
// whichever comes first; only a search takes as long as its context allows. A search
// that is given up before its end is stopped, and whatever the engine still says
// about it is dropped: the next search does not begin before the engine has answered
// the one before.
//
// Lines that an engine should not write are ignored, as the protocol demands;
// [Engine.Ignored] counts them and [Config.Log] receives them with the reason. A line
// of more than a mebibyte is ignored too.
//
// Source: S. Meyer-Kahlen, "Description of the universal chess interface (UCI)",
// April 2006.
package uciclient
